"""The troubleshooting page: what is installed, guided questions, an explained error, a bundle for others."""
