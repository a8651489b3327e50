import { PhotonMCP, io } from '@portel/photon-core';

interface Expense {
  what: string;
  cents: number;
}

class Ledger<T extends Expense> {
  constructor(private readonly entries: T[] = []) {}
  add(entry: T): this {
    this.entries.push(entry);
    return this;
  }
  get total(): number {
    return this.entries.reduce((sum, { cents }) => sum + cents, 0);
  }
  all(): readonly T[] {
    return this.entries;
  }
}

export default class ExpenseTracker extends PhotonMCP {
  /**
   * Record an expense
   * @param what What it was for
   */
  async *record(params: { what: string }): AsyncGenerator<any, { total: string; count: number }> {
    const known = (await this.memory.get('expenses')) as Expense[] | null;
    const ledger = new Ledger<Expense>(known ?? []);
    const amount: number = yield io.ask.number(`How much for ${params.what}?`, { min: 0.01, step: 0.01 });
    ledger.add({ what: params.what, cents: Math.round(amount * 100) });
    await this.memory.set('expenses', ledger.all());
    return { total: (ledger.total / 100).toFixed(2), count: ledger.all().length };
  }
}
