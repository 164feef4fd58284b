import {t} from '../../language/index.ts';

/** `seconds`: until the next attempt. */
export function willRetry(sentence: string, seconds: number): string {
	return t`${sentence} Retrying in ${seconds} s.`;
}

/** An image or document that cannot be sent. */
export function missingMedia(path: string): string {
	const name = path === '' ? t`An image` : path;
	return t`${name} is not sent: its file beside the session is missing or was changed. A line tells the model so.`;
}
