import { PhotonMCP, io } from '@portel/photon-core';

type Verdict = { ok: true; handle: string } | { ok: false; why: string };

const TAKEN: ReadonlySet<string> = new Set(['root', 'admin']);

/** Checks handles, with a plain method beside the generator */
export default class HandleCheck extends PhotonMCP {
  /**
   * Check one handle
   * @param handle The handle
   */
  async check(params: { handle: string }): Promise<Verdict> {
    const handle = params.handle.trim().toLowerCase();
    if (TAKEN.has(handle)) return { ok: false, why: 'taken' };
    return { ok: true, handle };
  }

  /** Choose a handle, until one is free */
  async *choose(): AsyncGenerator<any, string> {
    for (let round = 1; ; round++) {
      const handle: string = yield io.ask.text(`Handle (try ${round})?`, { pattern: '^[a-z]+$', maxLength: 12 });
      const verdict = await this.check({ handle });
      if (verdict.ok) return verdict.handle;
      yield io.emit.log(`${handle}: ${verdict.why}`, 'warn');
    }
  }
}
