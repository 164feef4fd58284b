import {describe, expect, it} from 'vitest';
import type {Media} from '../../../src/worker/history/media.ts';
import {inputSetting, mediaLimits, mediaProblem, mediaProblems} from '../../../src/worker/wires/media-limits.ts';
import {wireNames} from '../../../src/worker/wires/providers.ts';

const mb = 1024 * 1024;
const image = (more: Partial<Media> = {}): Media => {
	return {kind: 'image', mime: 'image/png', bytes: 1000, width: 10, height: 10, sha256: 'a', ...more};
};
const document = (bytes = 1000): Media => ({kind: 'document', mime: 'application/pdf', bytes, sha256: 'd'});

describe('the limits of images and documents', () => {
	it.each(wireNames)('let a small image through on %s, unless the model reads none', wire => {
		expect(mediaProblem(image(), mediaLimits(wire, {}))).toBeUndefined();
		expect(mediaProblem(image(), mediaLimits(wire, {input: []}))).toEqual({reason: 'no_images'});
		expect(mediaProblem(document(), mediaLimits(wire, {input: ['image']}))).toEqual({reason: 'no_documents'});
		expect(mediaProblem(document(), mediaLimits(wire, {input: ['document']}))).toBeUndefined();
	});

	it('name the limit that is exceeded', () => {
		const anthropic = mediaLimits('anthropic', {});
		expect(mediaProblem(image({bytes: 4 * mb}), anthropic)).toEqual({reason: 'bytes', max: 3.75 * mb});
		expect(mediaProblem(image({height: 8001}), anthropic)).toEqual({reason: 'side', max: 8000});
		expect(mediaProblem(image({mime: 'image/gif'}), mediaLimits('google', {}))).toEqual({
			reason: 'type',
			mime: 'image/gif',
		});
		expect(mediaProblem(document(), mediaLimits('openai-compatible', {}))).toEqual({reason: 'no_documents'});
		expect(mediaProblem(document(), mediaLimits('openai-compatible', {dialect: 'openrouter'}))).toBeUndefined();
	});

	it('send the latest of too many, so that a conversation can lose its start without another change', () => {
		const limits = {...mediaLimits('openai', {}), maxImages: 2, maxTotalBytes: 5000};
		const all = [image(), document(), image(), image()];
		const count = {reason: 'count', max: 2};
		expect(mediaProblems(all, limits)).toEqual([count, undefined, undefined, undefined]);
		expect(mediaProblems(all.slice(2), limits)).toEqual([undefined, undefined]);
		const total = {reason: 'total', max: 5000};
		expect(mediaProblems([image(), image({bytes: 4500}), document()], limits)).toEqual([total, total, undefined]);
	});

	it('are a setting only for a model that reads less than its wire', () => {
		expect([inputSetting('openai', true), inputSetting('openai', false)]).toEqual([undefined, []]);
	});
});
