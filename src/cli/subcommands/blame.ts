import {t} from '../../language/index.ts';
import {blameFormats, formatWords} from '../start/launch.ts';
import {where} from '../start/options.ts';
import {onlyWord, subcommand} from '../start/subcommand.ts';
import {notOneOf} from '../start/texts.ts';

export const blame = subcommand({
	name: 'blame',
	words: 'FILE[:N-M]',
	about: 'show which session and turn wrote each line',
	completes: 'files',
	options: {
		rev: {value: 'REV'},
		json: {},
		format: {value: 'FORMAT', completes: formatWords},
	},
	read(words, values) {
		const word = onlyWord(words);
		if (word === undefined) return t`inkpod blame needs one file.`;
		const [, file = word, first, last = first] = /^(.+?):(\d{1,9})(?:-(\d{1,9}))?$/.exec(word) ?? [];
		const range = first === undefined ? undefined : {from: Number(first), to: Number(last)};
		if (range !== undefined && (range.from < 1 || range.to < range.from))
			return t`Invalid lines in "${word}". Use FILE:FROM-TO, with lines from 1.`;
		const {json = false, format: named, rev} = values;
		const format = json ? 'json' : blameFormats.find(each => each === (named ?? 'text'));
		if (format === undefined) return notOneOf('format', named ?? '', blameFormats);
		return {command: 'blame', file, range, rev, format, ...where(values)};
	},
	async run(launch, {env, version, stdout, stderr}) {
		const command = await import('../blame/print-blame.ts');
		return command.printBlame({...launch, env, version, stdout, stderr});
	},
});
