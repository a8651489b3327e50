/**
 * Feedback, in plain JavaScript
 */
export default class Feedback {
  /**
   * Give feedback
   * @param {string} topic - what it is about
   */
  async *give({ topic }) {
    const stars = yield { ask: 'number', message: `Stars for ${topic}?`, min: 1, max: 5, step: 1 };
    if (stars >= 4) return { topic, stars, text: null };
    const text = yield { ask: 'text', message: 'What could be better?', required: true };
    return { topic, stars, text };
  }
}
