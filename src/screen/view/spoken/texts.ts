import {t} from '../../../language/index.ts';

export const messageLabel = t`Message: `;
export const levelNames = {info: t`Note`, warn: t`Warning`, error: t`Error`} as const;

export function laterBlocks(count: number): string {
	return t`${count} more blocks of this turn are not read out.`;
}

export function earlierBlocks(count: number): string {
	return t`${count} earlier blocks are not read out.`;
}
