import {subcommand} from '../start/subcommand.ts';
import {noArguments} from '../start/texts.ts';

export const models = subcommand({
	name: 'models',
	about: 'list the models that you can choose, with window, price and key',
	options: {all: {}, json: {}},
	read(words, {all = false, json = false}) {
		return words.length > 0 ? noArguments('models', words) : {command: 'models', all, json};
	},
	async run(launch, {env, stdout, stderr}) {
		const command = await import('../models.ts');
		return command.models({...launch, env, stdout, stderr});
	},
});
