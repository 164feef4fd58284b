/**
Reads a time in the past: a date (`2026-11-30`, `2026-11-30T14:00`), `today`, `yesterday`, or the time until now as
minutes, hours, days or weeks (`30m`, `12h`, `2d`, `1w`). Dates without a time zone, and days, are local. Returns the
time (ISO, in UTC), or `undefined` for any other text.
*/
export function readSince(text: string, now: number): string | undefined {
	const word = text.trim().toLowerCase();
	const days = daysBack.get(word);
	const ms = days === undefined ? (agoOf(word, now) ?? dateOf(text.trim())) : midnight(now, days);
	return ms === undefined || !isTime(ms) ? undefined : new Date(ms).toISOString();
}

const daysBack: ReadonlyMap<string, number> = new Map([
	['today', 0],
	['yesterday', 1],
]);

function agoOf(word: string, now: number): number | undefined {
	const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(word) ?? [];
	const ms = units[unit];
	return count === undefined || ms === undefined ? undefined : now - Number(count) * ms;
}

const units: Readonly<Record<string, number>> = {m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000};

/** A date without a time begins at midnight. Without the time, `Date` would read it as UTC. */
function dateOf(text: string): number | undefined {
	const [, date, time = 'T00:00'] =
		/^(\d{4}-\d{2}-\d{2})([T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i.exec(text) ?? [];
	if (date === undefined) return undefined;
	const ms = Date.parse(`${date}${time.replace(' ', 'T').toUpperCase()}`);
	return Number(date.slice(8)) > lastDay(date) ? undefined : ms;
}

/** `Date` takes the 31st of a shorter month as a day of the next month. */
function lastDay(date: string): number {
	return new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)), 0)).getUTCDate();
}

function midnight(now: number, days: number): number {
	const date = new Date(now);
	return new Date(date.getFullYear(), date.getMonth(), date.getDate() - days).getTime();
}

function isTime(ms: number): boolean {
	return ms >= 0 && ms <= 8.64e15;
}
