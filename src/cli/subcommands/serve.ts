import {t} from '../../language/index.ts';
import {numberIn, subcommand} from '../start/subcommand.ts';
import {noArguments} from '../start/texts.ts';

export const serve = subcommand({
	name: 'serve',
	about: 'keep sessions open without a terminal',
	options: {
		unit: {about: 'print a systemd or launchd file'},
		idle: {value: 'MINUTES', shown: 'list', about: 'close sessions in which nothing happens (default 30)'},
	},
	read(words, values) {
		if (words.length > 0) return noArguments('serve', words);
		const idle = numberIn(values.idle, /^(?=.*[1-9])\d{1,6}(?:\.\d{1,3})?$/);
		if (idle === 'wrong') return t`Invalid --idle. Use a number of minutes, such as 30.`;
		return {command: 'serve', unit: values.unit === true, idle};
	},
	async run(launch, {env, stdout, stderr, exit}) {
		const [commands, {watchSignals}] = await Promise.all([
			import('../serve/commands.ts'),
			import('../output/signals.ts'),
		]);
		watchSignals(exit, () => {});
		return commands.serve({...launch, env, stdout, stderr, signal: exit.signal});
	},
});
