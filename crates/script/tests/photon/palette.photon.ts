import { PhotonMCP, io } from '@portel/photon-core';

export default class Palette extends PhotonMCP {
  /**
   * Pick colours
   * @param count How many {@min 1} {@max 3} {@default 2}
   */
  async *pick(params: { count?: number }): AsyncGenerator<any, string> {
    const count = params.count ?? 2;
    const picked: string[] = [];
    while (picked.length < count) {
      const colour: string = yield {
        ask: 'select',
        message: `Colour ${picked.length + 1}?`,
        icon: '🎨',
        columns: 2,
        options: [
          { value: '#c33', label: 'Red', icon: '🔴' },
          { value: '#36c', label: 'Blue', selected: true },
        ],
        default: '#36c',
      };
      picked.push(colour);
      yield io.emit.toast(`Picked ${colour}`, 'success', 800);
    }
    return picked.join(', ');
  }
}
