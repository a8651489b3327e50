import { PhotonMCP, io } from '@portel/photon-core';

type Cell = '.' | 'X' | 'O';
type Board = Cell[][];

const COLUMNS = 4;
const ROWS = 4;

/**
 * A small game: three in a column win
 */
export default class FourInARow extends PhotonMCP {
  /** Play a game against a simple opponent */
  async *play(): AsyncGenerator<any, { winner: Cell | 'nobody'; board: string[] }> {
    const board: Board = Array.from({ length: ROWS }, () => Array<Cell>(COLUMNS).fill('.'));
    for (let turn = 0; turn < 6; turn++) {
      yield io.emit.artifact('text', { title: `Turn ${turn + 1}`, content: this._draw(board).join('\n') });
      const column: string = yield io.ask.select(`Turn ${turn + 1}: which column?`, ['1', '2', '3', '4']);
      this._drop(board, Number(column) - 1, 'X');
      if (this._has(board, 'X')) return { winner: 'X', board: this._draw(board) };
      this._drop(board, (turn + 1) % COLUMNS, 'O');
      if (this._has(board, 'O')) return { winner: 'O', board: this._draw(board) };
    }
    return { winner: 'nobody', board: this._draw(board) };
  }

  private _drop(board: Board, column: number, who: Cell): boolean {
    for (let row = ROWS - 1; row >= 0; row--) {
      if (board[row]![column] === '.') {
        board[row]![column] = who;
        return true;
      }
    }
    return false;
  }

  private _has(board: Board, who: Cell): boolean {
    for (let column = 0; column < COLUMNS; column++) {
      let run = 0;
      for (let row = 0; row < ROWS; row++) {
        run = board[row]![column] === who ? run + 1 : 0;
        if (run === 3) return true;
      }
    }
    return false;
  }

  private _draw(board: Board): string[] {
    return board.map((row) => row.join(''));
  }
}
