import {plural} from '../../tui/text/formats.ts';
import {leftOut} from '../export/texts.ts';
import type {FoundSecret} from '../../pod/index.ts';

/** The texts of bundles. */
export const bundleIntact = 'The bundle is intact.';
export const bundleDamaged = 'The bundle is damaged.';
export const differentScreen = 'The screen after this turn differs from the one in the manifest.';
export const missingScreen = 'The manifest has no screen for this turn.';
export const unknownScreen = 'The manifest has a screen for a turn that is not in the history.';

export function needsExact(found: readonly FoundSecret[]): readonly string[] {
	const shown = found
		.slice(0, maxListed)
		.map(({name, item, count}) => `  ${name}${count === 1 ? '' : ` ×${count}`} in ${item}`);
	const more = found.length > maxListed ? [`  and ${found.length - maxListed} more`] : [];
	const sentence = `A bundle is an exact record, and this one contains ${leftOut(found)}. To write it, add --exact.`;
	return [sentence, ...shown, ...more];
}

export function holdsSecrets(found: readonly FoundSecret[]): string {
	return `It contains ${leftOut(found)}.`;
}

export function refusedBundle(file: string, sentence: string): string {
	return `${file} is not an intact bundle. ${sentence}`;
}

export function madeBy(version: string, language: string): string {
	return `made by inkpod ${version} (${language})`;
}

export function notComparable(count: number, made: string): string {
	return `${plural(count, 'screen')}: not comparable, ${made}`;
}

const maxListed = 50;
