import {nearestName} from '../ground/text/nearest-name.ts';
import type {ModelInfo} from '../protocol.ts';

/** The meaning of an incomplete name. `several`: more than one model matches. `nearest`: a model has a similar name. */
type CompletedName =
	| {readonly kind: 'found'; readonly name: string}
	| {readonly kind: 'several'; readonly names: readonly string[]}
	| {readonly kind: 'nearest'; readonly name: string}
	| {readonly kind: 'unknown'};

/**
Finds the model for a name without its provider (`gpt-5`), or for a provider without a model (`ollama`). Prefers a model
that the user can use.
*/
export function completeName(written: string, models: readonly ModelInfo[]): CompletedName {
	const wanted = written.trim().replace(/\/+$/, '').toLowerCase();
	const fitting = [withFullName, withName, withProvider]
		.map(fits => models.filter(model => fits(model, wanted)))
		.find(({length}) => length > 0);
	if (fitting === undefined) return nearest(wanted, models);
	const usable = fitting.filter(({missing}) => missing === undefined);
	const left = usable.length > 0 ? usable : fitting;
	const [first] = left;
	return first !== undefined && left.length === 1
		? {kind: 'found', name: first.name}
		: {kind: 'several', names: left.slice(0, maxNames).map(({name}) => name)};
}

const maxNames = 3;

function withFullName({name}: ModelInfo, wanted: string): boolean {
	return name.toLowerCase() === wanted;
}

function withName({name, provider}: ModelInfo, wanted: string): boolean {
	return name.slice(provider.length + 1).toLowerCase() === wanted;
}

function withProvider({provider}: ModelInfo, wanted: string): boolean {
	return provider.toLowerCase() === wanted;
}

function nearest(wanted: string, models: readonly ModelInfo[]): CompletedName {
	const hasProvider = wanted.includes('/');
	const names = models.map(({name, provider}) => (hasProvider ? name : name.slice(provider.length + 1)));
	const near = nearestName(wanted, names);
	const model = near === undefined ? undefined : models[names.indexOf(near)];
	return model === undefined ? {kind: 'unknown'} : {kind: 'nearest', name: model.name};
}
