import {t} from '../../../language/index.ts';

export function moreAlerts(count: number): string {
	return t`… ${count} more`;
}

export function repeated(text: string, count: number): string {
	return count > 1 ? t`${text} (${count} times)` : text;
}
