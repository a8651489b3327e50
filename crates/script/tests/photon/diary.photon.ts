import { PhotonMCP, io } from '@portel/photon-core';

abstract class Keeper extends PhotonMCP {
  protected readonly limit: number = 3;

  protected async _remember(entry: string): Promise<string[]> {
    const entries: string[] = (await this.memory.get('entries')) || [];
    entries.push(entry);
    const kept = entries.slice(-this.limit);
    await this.memory.set('entries', kept);
    return kept;
  }
}

/**
 * A diary that keeps the last entries
 */
export default class Diary extends Keeper {
  /** Write an entry */
  async *write(): AsyncGenerator<any, { kept: number; last: string | undefined }> {
    const mood: string = yield io.ask.select('How was it?', ['fine', 'hard']);
    const text: string = yield io.ask.text('What happened?', { default: '' });
    const kept = await this._remember(`${mood}: ${text}`);
    this.emit({ channel: 'diary', event: 'written', data: { kept: kept.length } });
    return { kept: kept.length, last: kept.at(-1) };
  }
}
