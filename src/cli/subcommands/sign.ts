import {where} from '../start/options.ts';
import {onlyWord, subcommand} from '../start/subcommand.ts';
import {needsOneId} from '../start/texts.ts';

export const sign = subcommand({
	name: 'sign',
	words: '<id>',
	about: "sign a session's history with your ssh key",
	completes: 'sessions',
	options: {key: {value: 'FILE', completes: 'files', about: 'use this key'}},
	read(words, values) {
		const id = onlyWord(words);
		if (id === undefined) return needsOneId('sign');
		const {key} = values;
		return {command: 'sign', id, ...(key !== undefined && {key}), ...where(values)};
	},
	async run(launch, {env, stdout, stderr}) {
		const records = await import('../records.ts');
		return records.sign({...launch, env, stdout, stderr});
	},
});
