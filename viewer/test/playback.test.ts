import { expect, test } from "vitest";
import { Playback } from "../src/playback";
import { History } from "../src/history";
import { joinTimes } from "../src/session";

const times = [0, 0.1, 0.2, 0.3];

test("a recorded run plays at its speed, stops at its end and starts over", () => {
  const playback = new Playback(false);
  playback.speed = 0.5;
  playback.advance(0.2, times);
  expect(playback.time).toBeCloseTo(0.1, 12);
  playback.advance(10, times);
  expect([playback.time, playback.playing]).toEqual([0.3, false]);
  playback.play(times);
  expect([playback.time, playback.playing]).toEqual([0, true]);
});

test("a recorded run stays at its end as it grows, until someone looks elsewhere or plays it again", () => {
  const playback = new Playback(false);
  playback.advance(10, times);
  playback.advance(0, [...times, 0.4]);
  expect([playback.time, playback.playing]).toEqual([0.4, false]);
  playback.scrub(0.1);
  playback.advance(1, [...times, 0.4, 0.5]);
  expect(playback.time).toBe(0.1);
  playback.follow();
  playback.advance(0, [...times, 0.4, 0.5]);
  expect(playback.time).toBe(0.5);
  playback.play([...times, 0.4, 0.5]);
  playback.advance(0.05, [...times, 0.4, 0.5]);
  expect([playback.time, playback.playing, playback.following]).toEqual([0.05, true, false]);
});

test("a live run shows the newest until someone scrubs, and again after playing to the end of the past", () => {
  const playback = new Playback(true);
  playback.advance(1, times);
  expect([playback.time, playback.following]).toEqual([0.3, true]);
  playback.scrub(0.05);
  playback.advance(1, [...times, 0.4]);
  expect([playback.time, playback.following]).toEqual([0.05, false]);
  playback.play(times);
  playback.advance(5, times);
  expect([playback.time, playback.following]).toEqual([0.3, true]);
});

test("stepping goes from one recorded time to the next and stays within them", () => {
  const playback = new Playback(false);
  playback.scrub(0.15);
  playback.step(1, times);
  expect([playback.time, playback.playing]).toEqual([0.2, false]);
  playback.step(-1, times);
  playback.step(-1, times);
  playback.step(-1, times);
  expect(playback.time).toBe(0);
  for (let k = 0; k < 9; ++k) playback.step(1, times);
  expect(playback.time).toBe(0.3);
});

test("times of several runs are joined in order, those that differ by rounding once", () => {
  expect(
    joinTimes([
      [0, 0.1, 0.1 + 0.2],
      [0, 0.3, 0.45],
    ]),
  ).toEqual([0, 0.1, 0.3, 0.45]);
});

test("a history passes over rows it has, joins what came meanwhile and begins anew with the run", () => {
  const history = new History(["step", "time", "total"]);
  expect(
    history.add([
      [3, 0.3, 30],
      [4, 0.4, 40],
    ]),
  ).toBe(false);
  history.join([
    [0, 0, 0],
    [1, 0.1, 10],
    [2, 0.2, 20],
    [3, 0.3, 30],
  ]);
  expect(history.values("total")).toEqual([0, 10, 20, 30, 40]);
  history.add([[2, 0.2, 99]]);
  expect(history.values("total")).toEqual([0, 10, 20, 30, 40]);
  expect(history.find(0.35)).toBe(3);
  expect(history.add([[0, 0, 5]])).toBe(true);
  expect(history.values("total")).toEqual([5]);
  expect(history.values("unknown")).toEqual([]);
});
