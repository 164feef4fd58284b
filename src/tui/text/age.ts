/** Returns the age of a time in its largest unit: `3 h ago`. */
export function age(ms: number): string {
	for (const [unit, name] of units) if (ms >= unit) return `${Math.floor(ms / unit)} ${name} ago`;
	return 'just now';
}

const units = [
	[86_400_000, 'd'],
	[3_600_000, 'h'],
	[60_000, 'min'],
] as const;
