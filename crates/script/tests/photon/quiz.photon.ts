import { PhotonMCP, io } from '@portel/photon-core';

type Question = [text: string, options: string[], right: number];

const QUESTIONS: Question[] = [
  ['How many legs has a spider?', ['6', '8'], 1],
  ['Which is a prime?', ['9', '11', '15'], 1],
];

export default class Quiz extends PhotonMCP {
  /** Answer the questions */
  async *play(): AsyncGenerator<any, { score: number; of: number; wrong: string[] }> {
    let score = 0;
    const wrong: string[] = [];
    for (const [text, options, right] of QUESTIONS) {
      const answer: string = yield io.ask.select(text, options);
      yield io.emit.thinking(true);
      if (answer === options[right]) score++;
      else wrong.push(text);
      yield io.emit.thinking(false);
    }
    yield io.emit.artifact('json', { title: 'score.json', content: JSON.stringify({ score }) });
    return { score, of: QUESTIONS.length, wrong };
  }
}
