import {t} from '../../language/index.ts';
import {plural} from '../../text/formats.ts';
import {leftOut} from '../export/texts.ts';
import type {FoundSecrets} from '../../pod/index.ts';

/** The texts of bundles. */
export const bundleIntact = t`The bundle is intact.`;
export const bundleDamaged = t`The bundle is damaged.`;
export const differentScreen = t`The screen after this turn differs from the one in the manifest.`;
export const missingScreen = t`The manifest has no screen for this turn.`;
export const unknownScreen = t`The manifest has a screen for a turn that is not in the history.`;

export function needsExact(secrets: FoundSecrets): readonly string[] {
	const {found} = secrets;
	const shown = found
		.slice(0, maxListed)
		.map(({name, item, count}) => t`  ${name}${count === 1 ? '' : ` ×${count}`} in ${item}`);
	const more = found.length > maxListed ? [t`  and ${found.length - maxListed} more`] : [];
	const sentence = t`A bundle is an exact record, and this one contains ${leftOut(secrets)}. To write it, add --exact.`;
	return [sentence, ...shown, ...more];
}

export function holdsSecrets(found: FoundSecrets): string {
	return t`It contains ${leftOut(found)}.`;
}

export function refusedBundle(file: string, sentence: string): string {
	return t`${file} is not an intact bundle. ${sentence}`;
}

export function madeBy(version: string, language: string): string {
	return t`made by inkpod ${version} (${language})`;
}

export function notComparable(count: number, made: string): string {
	return t`${plural(count, 'screen')}: not comparable, ${made}`;
}

const maxListed = 50;
