import { io } from '@portel/photon-core';

type Factors = { [unit: string]: number };

export default class UnitConverter {
  private readonly factors: Factors;

  /**
   * @param precision Digits after the point
   */
  constructor(private precision: number = 2) {
    this.factors = { km: 1000, m: 1, cm: 0.01 };
  }

  /**
   * Convert a length
   * @param value The number
   * @param from Its unit
   */
  async *convert(params: { value: number; from: string }): AsyncGenerator<any, string> {
    const factor = this.factors[params.from];
    if (factor === undefined) throw new Error(`Unknown unit: ${params.from}`);
    const to: string = yield io.ask.select('To which unit?', Object.keys(this.factors));
    const result = (params.value * factor) / (this.factors[to] ?? 1);
    return `${result.toFixed(this.precision)} ${to}`;
  }
}
