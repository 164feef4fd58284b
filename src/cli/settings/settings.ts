import {
	readSettings,
	saveTyped,
	type Env,
	type Flag,
	type ProjectOptions,
	type ReadSetting,
	type ReadSettings,
} from '../../pod/index.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {cut, pad} from '../../text/width.ts';
import type {ChatLaunch} from '../start/launch.ts';
import {columnWidths} from '../output/output.ts';
import {inertJson} from '../output/output.ts';
import type {Output} from '../sessions.ts';
import {t} from '../../language/index.ts';

export {saveSetting} from '../../pod/index.ts';

type ConfigOptions = ProjectOptions & {
	readonly json: boolean;
	readonly env: Env;
	readonly stdout: Output;
	readonly stderr: Output;
};

/** Implements `inkpod config`: prints all settings with their values and sources. Returns the exit code. */
export async function config({json, env, stdout, stderr, ...where}: ConfigOptions): Promise<number> {
	const read = await readSettings({env, where});
	if (!read.ok) {
		stderr.write(`inkpod: ${sanitizeLine(read.sentence)}\n`);
		return 2;
	}
	stdout.write(json ? `${inertJson(read.settings.map(asJson), 2)}\n` : table(read.settings));
	return 0;
}

/** Reads the settings of a chat, which the options of its command line may set. */
export async function settingsOfChat(launch: ChatLaunch, env: Env, isAttached: boolean): Promise<ReadSettings> {
	return readSettings({env, where: launch, flags: flagsOf(launch), isAttached});
}

export const saveSettingOfChat = saveTyped;

function flagsOf({
	model,
	isExact,
	effort,
	maxTurns,
	noMouse,
	dump,
	screenReader,
	noConfine,
}: ChatLaunch): readonly Flag[] {
	const flag = (key: string, name: string, value: unknown): readonly Flag[] =>
		value === undefined ? [] : [{path: key.split('.'), name, value}];
	return [
		...flag('model.name', '--model', model),
		...flag('model.effort', '--effort', effort),
		...flag('max_turns', '--max-turns', maxTurns),
		...flag('screen.mouse', '--no-mouse', noMouse === true ? false : undefined),
		...flag('screen.dump', '--dump', dump === true ? true : undefined),
		...flag('screen.reader', '--screen-reader', screenReader === true ? true : undefined),
		...flag('model.exact', '--model-exact', isExact),
		...flag('confine.mode', '--no-confine', noConfine === true ? 'off' : undefined),
	];
}

function asJson({key, raw, origin, place, fallback, type, about}: ReadSetting): object {
	return {key, value: raw ?? null, origin, place, default: fallback, type, about};
}

function table(settings: readonly ReadSetting[]): string {
	const rows = settings.map(({key, value, fallback, origin, place}) =>
		[
			key,
			value ?? fallback,
			place === undefined ? settingOrigins[origin] : `${settingOrigins[origin]}: ${place}`,
		].map(sanitizeLine),
	);
	const widths = columnWidths(rows, 3).map(size => Math.min(maxCells, size));
	return rows
		.map(([key = '', value = '', from = '']) =>
			`${fitted(key, widths[0])}  ${fitted(value, widths[1])}  ${from}`.trimEnd().concat('\n'),
		)
		.join('');
}

function fitted(text: string, cells = 0): string {
	return pad(cut(text, cells, '…'), cells);
}

const maxCells = 44;

/** The source of a setting's value. */
const settingOrigins = {
	default: t`default`,
	user: t`yours`,
	project: t`project`,
	flag: t`option`,
	environment: t`environment`,
} as const;
