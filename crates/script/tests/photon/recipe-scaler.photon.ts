import { PhotonMCP, io } from '@portel/photon-core';

const BASE: Readonly<Record<string, number>> = { flour: 250, sugar: 80, butter: 125 };

export default class RecipeScaler extends PhotonMCP {
  /**
   * Scale the recipe
   * @param servings For how many
   * @param unit Grams or ounces
   */
  async *scale(servings: number, unit: 'g' | 'oz' = 'g'): AsyncGenerator<any, string[]> {
    const skip: string[] = yield io.ask.select('What do you leave out?', Object.keys(BASE), { multi: true, required: false });
    const factor = (servings / 4) * (unit === 'oz' ? 0.035274 : 1);
    return Object.entries(BASE)
      .filter(([name]) => !skip?.includes(name))
      .map(([name, grams]) => `${(grams * factor).toFixed(1)} ${unit} ${name}`);
  }
}
