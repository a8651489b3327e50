import { PhotonMCP, io } from '@portel/photon-core';

enum Stage {
  Build = 'build',
  Test = 'test',
  Ship = 'ship',
}

const ORDER = [Stage.Build, Stage.Test, Stage.Ship] as const;

export default class DeployChecklist extends PhotonMCP {
  /**
   * Walk through the checklist; every stage is confirmed
   * @param version The version that goes out {@example 1.4.0}
   */
  async *walk(params: { version: string }): AsyncGenerator<any, { shipped: boolean; passed: Stage[] }> {
    const passed: Stage[] = [];
    for (const [index, stage] of ORDER.entries()) {
      yield io.emit.status(`Stage ${stage}`, 'info');
      const ok: boolean = yield io.ask.confirm(`Is ${stage} of ${params.version} fine?`);
      if (!ok) {
        yield io.emit.log(`stopped at ${stage}`, 'warn', { index });
        return { shipped: false, passed };
      }
      passed.push(stage);
      yield io.emit.progress((index + 1) / ORDER.length);
    }
    return { shipped: true, passed };
  }
}
