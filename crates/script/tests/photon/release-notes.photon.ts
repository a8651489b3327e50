import { PhotonMCP } from '@portel/photon-core';

interface Change {
  kind: 'fix' | 'feature';
  text: string;
}

export default class ReleaseNotes extends PhotonMCP {
  private readonly changes: Change[] = [
    { kind: 'fix', text: 'No crash on empty input' },
    { kind: 'feature', text: 'Dark theme' },
    { kind: 'feature', text: 'Export to CSV' },
  ];

  /** Write the notes from the changes that are chosen */
  async *write(): AsyncGenerator<any, { lines: number }> {
    const chosen: string[] = yield {
      ask: 'select',
      id: 'changes',
      message: 'Which changes are worth telling?',
      multi: true,
      options: this.changes.map(({ kind, text }) => ({ value: text, label: `${kind}: ${text}`, description: `A ${kind}` })),
    };
    const title: string = yield { ask: 'text', id: 'title', message: 'Title?', default: 'Release', minLength: 3 };
    const body = [`# ${title}`, ...chosen.map((text) => `- ${text}`)];
    yield { emit: 'artifact', type: 'markdown', title: 'NOTES.md', content: body.join('\n') };
    return { lines: body.length };
  }
}
