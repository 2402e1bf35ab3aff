// Time sliders: says the day while one is moved, and goes there when it is let go. Without this script the form has a button.
for (const slider of document.querySelectorAll("input[type=range][data-time]")) {
  const told = document.getElementById(slider.dataset.time);
  const day = () => new Date(slider.value * 1000).toISOString().slice(0, 10);
  slider.setAttribute("aria-valuetext", day());
  slider.addEventListener("input", () => {
    if (told) told.textContent = day();
    slider.setAttribute("aria-valuetext", day());
  });
  slider.addEventListener("change", () => slider.form?.requestSubmit());
}
