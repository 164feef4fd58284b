import {t, tCount} from '../language/index.ts';

/** Returns `512 B`, `16 KB`, `1.2 KB` or `3.4 MB`. 1 KB is 1024 bytes. */
export function formatBytes(bytes: number): string {
	if (bytes < 1024) return `${bytes} B`;
	const units = ['KB', 'MB', 'GB', 'TB'];
	let size = bytes / 1024;
	let unit = 0;
	while (size >= 1023.95 && unit < units.length - 1) {
		size /= 1024;
		unit++;
	}
	return `${short(size)} ${units[unit]}`;
}

/** Returns `1200 × 800`, the size of an image in pixels. */
export function imageSize(width: number, height: number): string {
	return `${width} × ${height}`;
}

/** Returns `950`, `1.2k`, `34k` or `1.5M`. */
export function formatCount(count: number): string {
	if (count < 1000) return String(count);
	if (count < 999_500) return `${short(count / 1000)}k`;
	return `${short(count / 1_000_000)}M`;
}

/** Returns `0.4 s`, `12 s` or `2 min 5 s`. */
export function formatDuration(ms: number): string {
	if (ms < 9950) return t`${(ms / 1000).toFixed(1)} s`;
	const seconds = Math.round(ms / 1000);
	return seconds < 60 ? t`${seconds} s` : t`${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Returns `67% cached` for the cached share of a request's tokens, from 0 to 1. */
export function formatCached(share: number): string {
	return t`${Math.round(share * 100)}% cached`;
}

/** Returns `$12.40`, `$0.04`, `$0.0031` or `under $0.0001`. `≥` means that part of the cost is unknown. */
export function formatCost({usd, unknown}: {readonly usd: number; readonly unknown: number}): string {
	const known = usd > 0 && usd < 0.0001 ? t`under $0.0001` : `$${formatUsd(usd)}`;
	return unknown > 0 ? `≥ ${known}` : known;
}

/** Returns the prices of a model's input and output in USD per million tokens: `$1.25/10`. */
export function formatPrice({input, output}: {readonly input: number; readonly output: number}): string {
	return `$${rate(input)}/${rate(output)}`;
}

function rate(usd: number): string {
	return usd.toFixed(usd < 0.1 ? 3 : 2).replace(/\.?0+$/, '');
}

/** Returns `1 line` or `12 lines`. */
export function plural(count: number, noun: string, many = `${noun}s`): string {
	return tCount(count, noun, many);
}

function formatUsd(usd: number): string {
	if (usd >= 0.0095 || usd === 0) return usd.toFixed(2);
	return usd.toFixed(4).replace(/0+$/, '');
}

function short(size: number): string {
	return size < 99.95 ? size.toFixed(1).replace(/\.0$/, '') : String(Math.round(size));
}

/** Returns the age of a time in its largest unit: `3 h ago`. */
export function age(ms: number): string {
	for (const [unit, ago] of units) if (ms >= unit) return ago(Math.floor(ms / unit));
	return t`just now`;
}

const units: ReadonlyArray<readonly [number, (count: number) => string]> = [
	[86_400_000, count => t`${count} d ago`],
	[3_600_000, count => t`${count} h ago`],
	[60_000, count => t`${count} min ago`],
];
