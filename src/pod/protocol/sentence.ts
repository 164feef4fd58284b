import {z} from 'zod';
import {cutText} from '../../worker/index.ts';

/** A sentence from another process, which is shown or printed. It is cut: a peer cannot fill the screen with it. */
export const sentence = z.string().transform(text => cutText(text, maxSentenceBytes).text);

const maxSentenceBytes = 4096;
