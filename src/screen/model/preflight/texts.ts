import {t} from '../../../language/index.ts';
import {formatBytes, imageSize, plural} from '../../../text/formats.ts';

export function noForecast(problem: string): string {
	return t`The attachments could not be checked: ${problem}`;
}

export function tokenCount(tokens: number): string {
	return `${tokens.toLocaleString('en')} ${tokens === 1 ? t`token` : t`tokens`}`;
}

export function totalTokens(tokens: number, isStale: boolean): string {
	return t`≈ ${tokenCount(tokens)} total${isStale ? ' …' : ''}`;
}

/** The names of one paste and of several pastes. */
export const pasteNames = {one: (id: string) => t`paste #${id}`, many: (count: number) => t`${count} pastes`} as const;

export const reading = t`reading…`;
export const readWhenSent = t`resource of an MCP server, read when you send`;
export const fetchedWhenSent = t`web page, fetched when you send`;

export function readingCount(count: number): string {
	return t`reading ${count}`;
}

export function secretDetail(isLast: boolean): string {
	return t`▲ looks like a secret: Enter ${isLast ? '' : t`twice `}to attach`;
}

export function directoryExtent(entries: number, isTruncated: boolean): string {
	if (isTruncated) return t`first ${plural(entries, 'entry', 'entries')} · truncated`;
	return entries === 0 ? t`empty directory` : plural(entries, 'entry', 'entries');
}

type FileExtent = {readonly bytes: number; readonly totalBytes: number; readonly lines: number};

export function fileExtent({bytes, totalBytes, lines}: FileExtent, isTruncated: boolean): string {
	return isTruncated
		? t`${formatBytes(bytes)} of ${formatBytes(totalBytes)} · truncated`
		: `${formatBytes(bytes)} · ${plural(lines, 'line')}`;
}

type MediaExtent = {readonly bytes: number; readonly width?: number | undefined; readonly height?: number | undefined};

/** Returns the size of an image or a document in words. */
export function mediaExtent({bytes, width, height}: MediaExtent): string {
	const size = width === undefined || height === undefined ? t`PDF` : imageSize(width, height);
	return `${size} · ${formatBytes(bytes)}`;
}

/**
Returns the row for the file references that have no row of their own. The row gives their number, and how many of them
fail or look like secrets.
*/
export function moreRefs(count: number, failed: number, secret: number): string {
	const notes = [
		failed === 0 ? '' : failed === count ? t`, not attached` : t`, ${failed} of them not attached`,
		secret === 0 ? '' : t`, ${secret} of them ${secret === 1 ? t`looks like a secret` : t`look like secrets`}`,
	];
	return t`… ${count} more${notes.join('')}`;
}

export function secretRefs(names: readonly string[]): string {
	return t`▲ ${names.length} look like secrets: ${names.join(', ')}`;
}

export function missingRefs(names: readonly string[]): string {
	return t`× ${names.length} not attached: ${names.join(', ')}`;
}

export function secretAndMissingRefs(secret: readonly string[], missing: readonly string[]): string {
	const secrets = secret.length === 1 ? t`secret` : t`${secret.length} secrets`;
	return `▲ ${secrets}: ${secret.join(', ')} · ${missingRefs(missing)}`;
}

export function attachedCount(count: number, truncated: number): string {
	return t`${count} attached${truncated > 0 ? t`, ${truncated} truncated` : ''}`;
}

/**
Asks for a confirmation, because `count` file references look like secrets. `names` are the names of the first few of
them.
*/
export function confirmSecrets(names: readonly string[], count: number): string {
	const more = count - names.length;
	const all = more > 0 ? t`${names.join(', ')} and ${more} more` : names.join(t` and `);
	return count === 1
		? t`${all} looks like a secret. Press Enter again to attach it, or edit the message to leave it out.`
		: t`${all} look like secrets. Press Enter again to attach them, or edit the message to leave them out.`;
}
