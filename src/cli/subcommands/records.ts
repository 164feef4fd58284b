import {t} from '../../language/index.ts';
import {recordKinds} from '../start/launch.ts';
import {where} from '../start/options.ts';
import {readSince} from '../start/since.ts';
import {onlyWord, subcommand} from '../start/subcommand.ts';
import {notOneOf} from '../start/texts.ts';

export const records = subcommand({
	name: 'records',
	words: 'KIND',
	about: 'print calls, costs and approvals as JSON lines',
	completes: recordKinds,
	options: {
		json: {},
		since: {value: 'TIME'},
		in: {value: 'DIR', completes: 'folders'},
		all: {},
	},
	read(words, values) {
		const name = onlyWord(words);
		const kind = recordKinds.find(each => each === name);
		if (name === undefined) return t`inkpod records needs a kind: ${recordKinds.join(', ')}.`;
		if (kind === undefined) return notOneOf('kind', name, recordKinds);
		const {json = false, all = false, since: given, in: dir, cwd} = values;
		if (!json) return t`inkpod records prints a JSON object per line, for programs such as jq. Add --json.`;
		if (all && dir !== undefined) return t`Use --in or --all, not both.`;
		const since = given === undefined ? undefined : readSince(given, Date.now());
		if (given !== undefined && since === undefined)
			return t`Invalid --since "${given}". Use a date such as 2026-11-30, yesterday, or a time such as 12h or 2d.`;
		return {command: 'records', kind, since, all, ...where({...values, cwd: dir ?? cwd})};
	},
	async run(launch, {env, stdout, stderr, exit}) {
		const command = await import('../records/print-records.ts');
		return command.printRecords({...launch, env, stdout, stderr, exit: exit.signal});
	},
});
