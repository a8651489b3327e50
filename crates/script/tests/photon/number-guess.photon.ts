import { io } from '@portel/photon-core';

/** A guessing game without a base class */
export default class NumberGuess {
  private tries = 0;

  /**
   * Guess the number
   * @param secret The number to find {@min 1} {@max 20}
   */
  async *guess(params: { secret: number }) {
    while (this.tries < 5) {
      const guess: number = yield io.ask.number('Your guess?', { min: 1, max: 20 });
      this.tries += 1;
      if (guess === params.secret) return { found: true, tries: this.tries };
      yield io.emit.toast(guess < params.secret ? 'Higher' : 'Lower', 'info', 1500);
    }
    return { found: false, tries: this.tries };
  }
}
