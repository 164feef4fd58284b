import {t} from '../../language/index.ts';
import type {ReplayLaunch} from '../start/launch.ts';
import {numberIn, onlyWord, subcommand} from '../start/subcommand.ts';
import {needsOneId} from '../start/texts.ts';
import {readChat} from './chat.ts';
import {namesBundle} from './verify.ts';

export const replay = subcommand({
	name: 'replay',
	words: '<id>',
	about: 'play a session or a bundle step by step, read-only',
	completes: 'sessions and files',
	options: {at: {value: 'ITEM'}, speed: {value: 'N'}},
	isChat: true,
	read(words, {at, ...values}): ReplayLaunch | string {
		const source = onlyWord(words);
		if (source === undefined) return needsOneId('replay');
		const speed = numberIn(values.speed, /^(?=.*[1-9])\d{1,4}(?:\.\d{1,3})?$/);
		if (speed === 'wrong') return t`Invalid --speed. Use a number such as 4 or 0.5.`;
		const start = readChat(values);
		if (typeof start === 'string') return start;
		return {command: 'replay', source, isBundle: namesBundle(source), start, ...(at && {at}), speed};
	},
	async run(launch, io) {
		const command = await import('../chat.ts');
		return command.replay(launch, io);
	},
});
