import {where} from '../start/options.ts';
import {onlyWord, subcommand} from '../start/subcommand.ts';
import {needsOneId} from '../start/texts.ts';

export const repair = subcommand({
	name: 'repair',
	words: '<id>',
	about: 'make an intact copy of a damaged session and list what changed',
	completes: 'sessions',
	read(words, values) {
		const id = onlyWord(words);
		return id === undefined ? needsOneId('repair') : {command: 'repair', id, ...where(values)};
	},
	async run(launch, {env, stdout, stderr}) {
		const command = await import('../repair.ts');
		return command.repair({...launch, env, stdout, stderr});
	},
});
