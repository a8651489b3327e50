/**
 * Todo list that remembers
 */
import { PhotonMCP, io } from '@portel/photon-core';

interface Item {
  id: number;
  title: string;
  priority: 'low' | 'high';
  done: boolean;
}

export default class TodoPhoton extends PhotonMCP {
  /**
   * Add an item, asking how urgent it is
   * @param title What to do {@min 1}
   */
  async *add(params: { title: string }): AsyncGenerator<any, { total: number; last: Item }> {
    const items: Item[] = (await this.memory.get('items')) ?? [];
    const priority = (yield io.ask.select(`How urgent is "${params.title}"?`, ['low', 'high'])) as Item['priority'];
    const last: Item = { id: items.length + 1, title: params.title, priority, done: false };
    items.push(last);
    await this.memory.set('items', items);
    yield io.emit.toast('Added', 'success');
    return { total: items.length, last };
  }

  /** What is on the list */
  async list(): Promise<Item[]> {
    return (await this.memory.get('items')) ?? [];
  }
}
