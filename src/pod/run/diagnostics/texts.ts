import {en} from '../../../language/index.ts';

/** The text of the item, which the model reads. */
export function diagnosticsText(command: string, findings: readonly string[], left: number): string {
	const more = left === 0 ? [] : [en`[...truncated, ${left} more lines]`];
	return [`[Diagnostics: ${command.replaceAll(/\s+/g, ' ')}]`, ...findings, ...more].join('\n');
}

/** `reason` is the end of a command that is not a result, such as a timeout. */
export function failedText(command: string, reason: string): string {
	return en`Diagnostics of "${command}" are missing: ${reason}.`;
}
