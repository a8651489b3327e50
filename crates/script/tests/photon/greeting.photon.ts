/**
 * Greeting - welcomes somebody by name
 * @version 1.0.0
 * @icon 👋
 */
import { PhotonMCP, io } from '@portel/photon-core';

type Tone = 'formal' | 'friendly';

export default class Greeting extends PhotonMCP {
  /**
   * Welcome somebody
   * @param tone How to speak {@default friendly}
   */
  async *welcome(params: { tone?: Tone }): AsyncGenerator<any, string> {
    yield io.emit.status('Looking for a name');
    const name: string = yield io.ask.text('Who is there?', { placeholder: 'Ada' });
    return this._phrase(name, params?.tone ?? 'friendly');
  }

  private _phrase(name: string, tone: Tone): string {
    return tone === 'formal' ? `Good day, ${name}.` : `Hi ${name}!`;
  }
}
