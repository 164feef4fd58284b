import {expect, onTestFinished} from 'vitest';
import type {tried, TryingOptions} from './tried.ts';

export type Tried = Awaited<ReturnType<typeof tried>>;
type Commands = Parameters<typeof tried>[0];

/** A command of the model that nobody has approved, and what must hold besides what holds for all of them. */
export type Attack = readonly [
	name: string,
	commands: Commands,
	options?: TryingOptions,
	holds?: (result: Tried) => void,
];

export const python = (code: string) => `python3 - <<'END'\n${code}\nEND`;
export const take: TryingOptions = {answer: () => 'allow'};

/** A card must come before the model gets the output. */
export const asks = ({titles}: Tried) => expect(titles.join()).toMatch(/^Run this command\?/);

/** The card about the changes must come. */
export const asksToTake = ({titles}: Tried) => expect(titles).toEqual(['Take these changes?']);

/** Nothing is wrong with such a command. */
export const looks = ({titles}: Tried) => expect(titles).toEqual([]);

export const shows =
	(...lines: readonly string[]) =>
	({shown}: Tried) =>
		expect(shown.split('\n')).toEqual(expect.arrayContaining([...lines]));

/** Does something in the project again and again while the command runs. */
export function meanwhile(act: (n: number) => void): void {
	let n = 0;
	const timer = setInterval(() => {
		try {
			act(n++);
		} catch {
			// The project is not there before the test begins, or after it ended.
		}
	}, 20);
	onTestFinished(() => clearInterval(timer));
}
