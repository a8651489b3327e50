/**
 * @dependencies axios@^1.0.0
 */
import axios from 'axios';
import { PhotonMCP, io } from '@portel/photon-core';

export default class Forecast extends PhotonMCP {
  /** Tomorrow's weather */
  async *tomorrow(): AsyncGenerator<any, unknown> {
    const city: string = yield io.ask.text('Which city?');
    const { data } = await axios.get('https://weather.example.org', { params: { city } });
    return data;
  }
}
