import { PhotonMCP, io } from '@portel/photon-core';

interface Leg<T extends string = string> {
  from: T;
  to: T;
  nights: number;
}

/**
 * Plans a trip, one leg after another
 * @author A traveller
 */
export default class TripPlanner extends PhotonMCP {
  /**
   * Plan a trip
   * @param start Where it begins
   * @param stops How many stops {@min 1} {@max 4}
   */
  async *plan(params: { start: string; stops?: number }): AsyncGenerator<any, { legs: Leg[]; nights: number; leaves: string }> {
    const { start, stops = 2 } = params;
    const leaves: string = yield io.ask.date('When do you leave?');
    const legs: Leg[] = [];
    let from = start;
    for (let stop = 1; stop <= stops; stop++) {
      const to: string = yield io.ask.text(`Stop ${stop}: where to?`);
      const nights: number = yield io.ask.number(`Nights in ${to}?`, { min: 1, max: 14, default: 2 });
      legs.push({ from, to, nights });
      from = to;
      yield io.emit.progress(stop / stops, `${stop} of ${stops}`);
    }
    return { legs, nights: legs.reduce((sum, leg) => sum + leg.nights, 0), leaves };
  }
}
