import { PhotonMCP, io } from '@portel/photon-core';

export default class PoemStream extends PhotonMCP {
  /** Recite a line of your choice, bit by bit */
  async *recite(): AsyncGenerator<any, { words: number }> {
    const line: string = yield io.ask.text('A line, please');
    const words = line.split(/\s+/).filter(Boolean);
    yield io.emit.thinking(true);
    for (const [index, word] of words.entries()) {
      yield io.emit.stream(`${word} `, index === words.length - 1);
    }
    yield io.emit.thinking(false);
    yield io.emit.ui('poem', { data: { words } });
    yield { emit: 'qr', value: 'https://example.org/poem', message: 'Read it later' };
    this.emit({ emit: 'toast', message: 'Recited', type: 'success' });
    return { words: words.length };
  }
}
