import { execSync } from 'child_process';
import { PhotonMCP, io } from '@portel/photon-core';

export default class BranchTidy extends PhotonMCP {
  /** Delete merged branches */
  async *tidy(): AsyncGenerator<any, string[]> {
    const merged = execSync('git branch --merged').toString().split('\n');
    const chosen: string[] = yield io.ask.select('Which ones?', merged, { multi: true });
    for (const name of chosen) execSync(`git branch -d ${name}`);
    return chosen;
  }
}
