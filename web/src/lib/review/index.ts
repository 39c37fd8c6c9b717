/** What a replay loads once somebody asks for a review. */
export { Review } from './review.svelte';
export { default as ReviewPanel } from './ReviewPanel.svelte';
export { default as Verdict } from './Verdict.svelte';
