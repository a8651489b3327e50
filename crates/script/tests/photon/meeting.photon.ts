import { PhotonMCP, io } from '@portel/photon-core';

interface Room {
  readonly id: string;
  readonly seats: number;
  readonly floor?: { number: number };
}

const ROOMS: Room[] = [
  { id: 'oak', seats: 4, floor: { number: 1 } },
  { id: 'elm', seats: 12 },
];

export default class Meeting extends PhotonMCP {
  /**
   * Book a room
   * @param people How many come {@min 1}
   */
  async *book(params: { people: number }): AsyncGenerator<any, { room: string; floor: number | null; at: string }> {
    const fitting = ROOMS.filter(({ seats }) => seats >= params.people);
    const room: string = yield io.ask.select(
      'Which room?',
      fitting.map(({ id, seats }) => ({ value: id, label: id.toUpperCase(), description: `${seats} seats` })),
    );
    const at: string = yield io.ask.date('On which day?', { min: '2026-01-01', max: '2030-12-31' });
    const floor = ROOMS.find(({ id }) => id === room)?.floor?.number ?? null;
    return { room, floor, at };
  }
}
