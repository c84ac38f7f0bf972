// The table of a run's history, one row per step, read by column name. Rows come twice, once from
// the history so far and once from the socket: rows up to the last known time are passed over. A
// row at or before the first time means that the run was started again.
import { Row } from "./protocol";

const mostRows = 20000; // thinned by half beyond, as the server does for long runs

export class History {
  rows: Row[] = [];
  private readonly timeColumn: number;

  constructor(readonly columns: string[]) {
    this.timeColumn = columns.indexOf("time");
  }

  time(row: Row): number {
    return (this.timeColumn < 0 ? null : row[this.timeColumn]) ?? NaN;
  }
  get last(): number {
    return this.rows.length ? this.time(this.rows[this.rows.length - 1]) : -Infinity;
  }

  clear(): void {
    this.rows = [];
  }

  // True where the run was started again, so that what was known is gone.
  add(rows: Row[]): boolean {
    let again = false;
    for (const row of rows) {
      const time = this.time(row);
      if (!(time > this.last)) {
        if (this.rows.length < 2 || time > this.time(this.rows[0])) continue;
        this.clear();
        again = true;
      }
      this.rows.push(row);
    }
    if (this.rows.length > mostRows) this.rows = this.rows.filter((_, k) => k % 2 === 0);
    return again;
  }

  // Joins the history so far with the rows that came by socket meanwhile.
  join(rows: Row[]): void {
    const later = this.rows;
    this.rows = rows.slice();
    this.add(later.filter((row) => this.time(row) > this.last));
  }

  column(name: string): number {
    return this.columns.indexOf(name);
  }

  values(name: string): number[] {
    const column = this.column(name);
    return column < 0 ? [] : this.rows.map((row) => row[column] ?? NaN);
  }

  // The row at or before a time; -1 where there is none.
  find(time: number): number {
    let [low, high] = [-1, this.rows.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.time(this.rows[middle]) <= time + 1e-12) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
