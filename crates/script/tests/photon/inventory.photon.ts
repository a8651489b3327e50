import { PhotonMCP, io } from '@portel/photon-core';

const KINDS = ['tool', 'part'] as const;
type Kind = (typeof KINDS)[number];

interface Stock extends Partial<Record<Kind, number>> {}

function isKind(value: unknown): value is Kind {
  return typeof value === 'string' && (KINDS as readonly string[]).includes(value);
}

const START = { tool: 3, part: 40 } satisfies Stock;

export default class Inventory extends PhotonMCP {
  /**
   * Take something out
   * @param amount How much {@min 1} {@max 50}
   */
  async *take(params: { amount: number }): AsyncGenerator<any, Stock> {
    const stock: Stock = { ...START };
    const kind: unknown = yield io.ask.select('What do you take?', [...KINDS]);
    if (!isKind(kind)) throw new TypeError('no such kind');
    const left = stock[kind]! - params.amount;
    if (left < 0) {
      const anyway = <boolean>(yield io.ask.confirm(`Only ${stock[kind]} left. Take them all?`));
      stock[kind] = anyway ? 0 : stock[kind];
    } else {
      stock[kind] = left;
    }
    return stock;
  }
}
