/**
Returns the milliseconds of this machine's steady clock. The clock never goes back, even if somebody sets the time of
day, and is the same in every process of the machine. The clock does not tell the time of day.
*/
export function steadyNow(): number {
	return Number(process.hrtime.bigint() / 1000n) / 1000;
}
