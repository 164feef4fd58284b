import type {ToolDetails} from '../pod/protocol.ts';
import {commandEffects} from './texts.ts';

/**
Returns the effects of a command in words: which files it changed, and whether it had network access or was not
confined. The result is empty if an older version of inkpod recorded the command.
*/
export function effectWords({command}: ToolDetails): readonly string[] {
	if (command === undefined) return [];
	const {effects, discarded, confined, unconfined} = command;
	const changes = discarded === true ? commandEffects.discarded : effects && changesOf(effects);
	return [
		...(changes === undefined ? [] : [changes]),
		...(confined === 'open' ? [commandEffects.network] : []),
		...(unconfined === true ? [commandEffects.unconfined] : []),
	];
}

function changesOf({
	added,
	changed,
	deleted,
	others,
}: NonNullable<NonNullable<ToolDetails['command']>['effects']>): string {
	const counts = [
		...(added > 0 ? [`+${added}`] : []),
		...(changed > 0 ? [`~${changed}`] : []),
		...(deleted > 0 ? [`-${deleted}`] : []),
	];
	if (counts.length > 0) return commandEffects.files(counts.join(' '), added + changed + deleted);
	return others === true ? commandEffects.others : commandEffects.none;
}
