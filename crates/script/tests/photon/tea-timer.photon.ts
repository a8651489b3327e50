import { PhotonMCP, io } from '@portel/photon-core';

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export default class TeaTimer extends PhotonMCP {
  /** Brew a cup */
  async *brew(): AsyncGenerator<any, { kind: string; steps: number }> {
    const kind: string = yield io.ask.select('Which tea?', ['green', 'black']);
    let steps = 0;
    for (const part of [0.25, 0.5, 1]) {
      await sleep(5);
      steps += 1;
      yield io.emit.progress(part, `${kind} tea`);
    }
    yield { sleep: 5 };
    return { kind, steps };
  }
}
