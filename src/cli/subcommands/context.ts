import {where} from '../start/options.ts';
import {onlyWord, subcommand} from '../start/subcommand.ts';
import {needsOneId} from '../start/texts.ts';

export const context = subcommand({
	name: 'context',
	words: '<id>',
	about: 'show what the next request contains',
	completes: 'sessions',
	options: {json: {}, request: {about: 'its exact body'}},
	read(words, values) {
		const id = onlyWord(words);
		if (id === undefined) return needsOneId('context');
		const {json = false, request = false} = values;
		return {command: 'context', id, json, request, ...where(values)};
	},
	async run(launch, {env, stdout, stderr}) {
		const command = await import('../context.ts');
		return command.context({...launch, env, stdout, stderr, terminal: stdout.isTTY});
	},
});
