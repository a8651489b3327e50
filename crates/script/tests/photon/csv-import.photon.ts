import { readFile } from 'node:fs/promises';
import { PhotonMCP, io } from '@portel/photon-core';

export default class CsvImport extends PhotonMCP {
  /** Import a file */
  async *load(): AsyncGenerator<any, number> {
    const path: string = yield io.ask.text('Which file?');
    const text = await readFile(path, 'utf-8');
    return text.split('\n').length;
  }
}
