import { PhotonMCP, io } from '@portel/photon-core';

/**
 * Short survey by form
 */
export default class Survey extends PhotonMCP {
  /** Take the survey */
  async *take(): AsyncGenerator<any, { summary: string; answers: Record<string, unknown> }> {
    const answers: Record<string, unknown> = yield io.ask.form('About your week', {
      type: 'object',
      properties: {
        name: { type: 'string', title: 'Your name', description: 'As on the badge' },
        hours: { type: 'integer', title: 'Hours worked', minimum: 0, maximum: 100 },
        remote: { type: 'boolean', title: 'From home?' },
        mood: { type: 'string', title: 'Mood', enum: ['good', 'so-so', 'bad'] },
      },
      required: ['name', 'hours', 'mood'],
    });
    return { summary: `${answers.name}: ${answers.hours} h, ${answers.mood}`, answers };
  }
}
