import { PhotonMCP, io } from '@portel/photon-core';

interface Setup {
  name?: string;
  language?: string;
  telemetry?: boolean;
}

export default class SetupWizard extends PhotonMCP {
  /** Set things up, step by step */
  async *run(): AsyncGenerator<any, Setup> {
    const setup: Setup = {};
    yield* this._identity(setup);
    yield { checkpoint: true, state: { step: 1, setup } };
    yield* this._choices(setup);
    yield { checkpoint: true, state: { step: 2, setup } };
    return setup;
  }

  private async *_identity(setup: Setup): AsyncGenerator<any, void> {
    setup.name = yield io.ask.text('Project name?');
  }

  private async *_choices(setup: Setup): AsyncGenerator<any, void> {
    setup.language = yield io.ask.select('Language?', [
      { value: 'ts', label: 'TypeScript' },
      { value: 'rs', label: 'Rust', description: 'With cargo' },
    ]);
    setup.telemetry = yield io.ask.confirm('Send telemetry?', { default: true });
  }
}
